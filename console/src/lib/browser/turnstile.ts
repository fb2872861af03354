interface WidgetOptions {
  readonly sitekey: string;
  readonly language: string;
  readonly theme: 'light' | 'dark';
  readonly size: 'flexible';
  readonly callback: (token: string) => void;
  readonly 'expired-callback': () => void;
}

/** The API of the human-verification script. */
interface Turnstile {
  render(container: HTMLElement, options: WidgetOptions): string;
  remove(id: string): void;
}

declare global {
  interface Window {
    turnstile?: Turnstile;
    /** A trusted script URL replaces the text it was created from. Not in every browser. */
    trustedTypes?: {
      createPolicy(
        name: string,
        rules: { createScriptURL(text: string): string },
      ): { createScriptURL(text: string): string };
    };
  }
}

const defaultUrl = 'https://challenges.cloudflare.com';

let loading: Promise<Turnstile> | undefined;

/** The only foreign script of the console; the page's policy allows its origin while it is required. */
const addScript = (url: string): Promise<Turnstile> =>
  new Promise((resolve, reject) => {
    const address = `${url}/turnstile/v0/api.js?render=explicit`;
    const policy = window.trustedTypes?.createPolicy('weir', { createScriptURL: (text) => text });
    const script = document.createElement('script');
    script.async = true;
    script.onload = () => {
      if (window.turnstile === undefined) reject(new Error('the script offers nothing'));
      else resolve(window.turnstile);
    };
    script.onerror = () => reject(new Error('the script did not load'));
    script.src = policy === undefined ? address : policy.createScriptURL(address);
    document.head.append(script);
  });

/** Loads the script of the human verification, once. `url` is absent on other servers of the contract. */
export const loadTurnstile = (url = defaultUrl): Promise<Turnstile> => (loading ??= addScript(url));
