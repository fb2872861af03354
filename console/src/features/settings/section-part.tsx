import { ClearLogs } from './clear-logs.tsx';
import { CodeHostCallback } from './code-host-callback.tsx';
import { HumanTrial } from './human-trial.tsx';
import { LogoPreview } from './logo-preview.tsx';
import { QrPreview } from './qr-preview.tsx';
import type { SectionPart } from './setting.ts';
import { SmtpPresets } from './smtp-presets.tsx';
import { UpdateCheck } from './update-check.tsx';

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
