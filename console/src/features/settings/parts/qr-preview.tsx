import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import { useSettings } from '../settings-context.ts';

/** The account's QR code as shown on the sign-in screen. */
export const QrPreview = () => {
  const t = useT();
  const address = useSettings().text('WeChatAccountQRCodeImageURL').trim();
  if (!/^https:\/\/.+/.test(address)) return null;
  return (
    <img
      key={address}
      src={address}
      alt={t(m.setting_qr_alt)}
      width="160"
      height="160"
      className="size-40 rounded-control border border-line object-contain"
    />
  );
};
