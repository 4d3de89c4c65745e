import { PageHead } from '../parts/page-head.tsx';

export function SignInPage() {
  return <PageHead title="SignIn" />;
}
