import { Link } from '@tanstack/react-router';
import { CodeBlock } from '../../parts/code-block.tsx';
import { useAccount, useSession } from '../session/use-session.ts';
import { PageSection } from './page-section.tsx';

export function FirstRequest() {
  const { public_base_url: baseUrl } = useSession();
  const { role } = useAccount();
  const code = `curl '${baseUrl}/v1/shipments?limit=5' \\\n  -H "Authorization: Bearer $LANDFALL_KEY"`;
  return (
    <PageSection
      title="First request"
      lead={
        <>
          Programs show an API key with each request.{' '}
          {role === 'owner' ? (
            <Link
              to="/configuration/$section"
              params={{ section: 'keys' }}
              search={{ panel: 'new' }}
              className="text-accent underline underline-offset-2"
            >
              Make one
            </Link>
          ) : (
            'Ask an owner of the account for one'
          )}
          , then put it in the environment as <code className="font-mono text-number">LANDFALL_KEY</code>: a key in a
          command stays in the history of the shell.
        </>
      }
    >
      <CodeBlock name="Terminal" code={code} />
    </PageSection>
  );
}
