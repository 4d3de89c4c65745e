import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type Validity = 'valid' | 'expired';

/** PEM files. The key stays the same. */
export type CertificateFiles = { certFile: string; keyFile: string };

export type Certificates = {
  /** The authority that services trust. */
  caFile: string;
  /** A new certificate for 127.0.0.1, in a file of its own. */
  issue: (validity: Validity) => CertificateFiles;
  /** Puts a new certificate into PostgreSQL, and then into Redis, if there is one. Connections stay as they are. */
  install: (store: 'postgres' | 'redis', validity: Validity) => Promise<void>;
};

export type Authority = Pick<Certificates, 'caFile' | 'issue'> & { close: () => void };

const dayMs = 86_400_000;
const ofValidity = { valid: [-1, 30], expired: [-30, -1] } as const satisfies Record<Validity, readonly number[]>;

/** A certificate authority of openssl, which can issue a certificate that has expired. */
export function openAuthority(): Authority {
  const folder = mkdtempSync(join(tmpdir(), 'landfall-drill-ca-'));
  const openssl = (...args: string[]): void => {
    const { status, stderr } = spawnSync('openssl', args, { cwd: folder, encoding: 'utf8' });
    if (status !== 0) throw new Error(`openssl ${args.join(' ')}: ${stderr}`);
  };
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  openssl('req', '-x509', ...newKey, '-days', '30', '-subj', '/CN=drill', '-keyout', 'ca.key', '-out', 'ca.pem');
  openssl('req', '-new', ...newKey, '-subj', '/CN=127.0.0.1', '-keyout', 'server.key', '-out', 'server.csr');
  mkdirSync(join(folder, 'issued'));
  writeFileSync(join(folder, 'index.txt'), '');
  writeFileSync(
    join(folder, 'ca.cnf'),
    `[ca]
default_ca = drill
[drill]
database = index.txt
new_certs_dir = issued
certificate = ca.pem
private_key = ca.key
default_md = sha256
policy = any
x509_extensions = server
unique_subject = no
rand_serial = yes
[any]
commonName = supplied
[server]
subjectAltName = IP:127.0.0.1
`,
  );
  let issued = 0;
  return {
    caFile: join(folder, 'ca.pem'),
    issue: (validity) => {
      issued += 1;
      const name = `server-${issued}.pem`;
      const [start, end] = ofValidity[validity].map(asn1Time);
      const dates = ['-startdate', start ?? '', '-enddate', end ?? ''];
      openssl('ca', '-batch', '-config', 'ca.cnf', '-notext', '-in', 'server.csr', '-out', name, ...dates);
      return { certFile: join(folder, name), keyFile: join(folder, 'server.key') };
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function asn1Time(daysFromNow: number): string {
  return new Date(Date.now() + daysFromNow * dayMs).toISOString().replace(/\.\d+|[-:T]/g, '');
}
