import { generateKeyPairSync, sign } from 'node:crypto';

/** A new RSA key and its self-signed certificate (PEM), encoded by hand because Node cannot create certificates. */
export function selfSignedCertificate(): { certificate: string; privateKey: string } {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const algorithm = sequence(objectId('2a864886f70d01010b'), element(0x05, Buffer.alloc(0)));
  const name = sequence(element(0x31, sequence(objectId('550403'), element(0x0c, Buffer.from('test')))));
  const validity = sequence(element(0x17, Buffer.from('260101000000Z')), element(0x17, Buffer.from('460101000000Z')));
  const serial = element(0x02, Buffer.from([1]));
  const content = sequence(serial, algorithm, name, validity, name, publicKey.export({ type: 'spki', format: 'der' }));
  const signature = element(0x03, Buffer.concat([Buffer.from([0]), sign('RSA-SHA256', content, privateKey)]));
  const der = sequence(content, algorithm, signature).toString('base64');
  return {
    certificate: `-----BEGIN CERTIFICATE-----\n${der.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

function sequence(...parts: Buffer[]): Buffer {
  return element(0x30, Buffer.concat(parts));
}

function objectId(hex: string): Buffer {
  return element(0x06, Buffer.from(hex, 'hex'));
}

function element(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}
