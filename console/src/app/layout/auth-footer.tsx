import { setLanguage, useLanguage } from '../../lib/browser/locale.ts';
import { FooterText } from './footer.tsx';

/** Language switch of the screens before sign-in, each language by its own name, above the page footer. */
export const AuthFooter = () => {
  const current = useLanguage();
  const choices = [
    ['en', 'English'],
    ['zh', '中文'],
  ] as const;
  return (
    <footer className="flex flex-col items-center gap-2 px-4 pb-6 text-13">
      <div className="flex gap-2">
        {choices.map(([language, name]) => (
          <button
            key={language}
            type="button"
            lang={language}
            aria-pressed={language === current}
            className="min-h-8 rounded-control px-2 text-mute hover:text-ink aria-pressed:font-medium aria-pressed:text-ink"
            onClick={() => setLanguage(language)}
          >
            {name}
          </button>
        ))}
      </div>
      <FooterText />
    </footer>
  );
};
