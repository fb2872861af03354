import { ClearLogs } from './parts/clear-logs.tsx';
import { CodeHostCallback } from './parts/code-host-callback.tsx';
import { HumanTrial } from './parts/human-trial.tsx';
import { LogoPreview } from './parts/logo-preview.tsx';
import { QrPreview } from './parts/qr-preview.tsx';
import type { SectionPart } from './setting.ts';
import { SmtpPresets } from './parts/smtp-presets.tsx';
import { UpdateCheck } from './parts/update-check.tsx';

/** What a section has besides its options. */
export const SectionPartView = ({ part }: { readonly part: SectionPart }) => {
  switch (part) {
    case 'clear-logs':
      return <ClearLogs />;
    case 'code-host-callback':
      return <CodeHostCallback />;
    case 'human-trial':
      return <HumanTrial />;
    case 'logo-preview':
      return <LogoPreview />;
    case 'qr-preview':
      return <QrPreview />;
    case 'smtp-presets':
      return <SmtpPresets />;
    case 'update-check':
      return <UpdateCheck />;
  }
};
