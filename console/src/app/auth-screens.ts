import type { ComponentType } from 'react';
import type { AuthScreenProps } from '../features/auth/login-screen.tsx';

type LoadAuthScreen = () => Promise<{ readonly default: ComponentType<AuthScreenProps> }>;

const oauth: LoadAuthScreen = async () => ({
  default: (await import('../features/auth/oauth-screen.tsx')).OauthScreen,
});

/** The screens before sign-in, except the sign-in, which is part of the entry. Few first visits begin with one. */
export const authScreens: Readonly<Record<string, LoadAuthScreen>> = {
  '/register': async () => ({ default: (await import('../features/auth/register-screen.tsx')).RegisterScreen }),
  '/reset': async () => ({ default: (await import('../features/auth/reset-screen.tsx')).ResetScreen }),
  '/user/reset': async () => ({
    default: (await import('../features/auth/reset-confirm-screen.tsx')).ResetConfirmScreen,
  }),
  '/oauth/github': oauth,
  '/oauth/oidc': oauth,
  '/oauth/lark': oauth,
};
