import './styles.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api/query-client.ts';
import { setLocale } from './parts/words/locale.ts';
import { router } from './router.tsx';
import { leaveWhenSignedOut } from './screens/session/sign-out.ts';

queryClient.getQueryCache().config.onError = leaveWhenSignedOut;
queryClient.getMutationCache().config.onError = leaveWhenSignedOut;

setLocale(navigator.languages[0]);

const element = document.getElementById('app');
if (element === null) throw new Error('element #app not found');

// The page shows the shell of its HTML until the session and the screen have loaded. What fails is shown by the router.
void router
  .load()
  .catch(() => undefined)
  .then(() =>
    createRoot(element).render(
      <StrictMode>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </StrictMode>,
    ),
  );
