import { defaultLogo } from '../../../lib/api/status.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import { useSettings } from '../settings-context.ts';

/** The logo and name as shown in the top bar, in both themes. */
export const LogoPreview = () => {
  const t = useT();
  const { text } = useSettings();
  const logo = text('Logo').trim() || defaultLogo;
  const themes = [
    ['light', t(m.theme_light)],
    ['dark', t(m.theme_dark)],
  ] as const;
  return (
    <div className="flex flex-wrap gap-3">
      {themes.map(([theme, name]) => (
        <figure key={theme} className="flex flex-col gap-1">
          <div
            data-theme={theme}
            className="flex h-13 items-center gap-2 rounded-control border border-line bg-bg px-4 font-semibold text-ink"
          >
            <img
              key={logo}
              src={logo}
              alt=""
              width="24"
              height="24"
              className="size-6 rounded-control object-contain"
            />
            <span className="max-w-48 truncate">{text('SystemName')}</span>
          </div>
          <figcaption className="text-12 text-mute">{name}</figcaption>
        </figure>
      ))}
    </div>
  );
};
