import { getLatestRelease } from '@weir/contract/releases';
import type { Release } from '@weir/contract/releases';
import { useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { asText } from '../../../lib/format/as-text.ts';
import { call } from '../../../lib/api/call.ts';
import { isRecord } from '../../../lib/is-record.ts';
import { currentStatus, useStatus } from '../../../lib/api/status.ts';
import { toast, toastFailure } from '../../../lib/toasts.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';

/** Requested by the browser if the server is another one of the contract; set when the console is built. */
const foreignReleases = asText(import.meta.env['VITE_RELEASES']) ?? '';

const askCodeHost = async (): Promise<Release> => {
  const answer: unknown = await (await fetch(foreignReleases)).json();
  const textOf = (member: string): string => (isRecord(answer) ? (asText(answer[member]) ?? '') : '');
  return { tag_name: textOf('tag_name'), body: textOf('body'), html_url: textOf('html_url') };
};

/** Our server requests the code host; on another one of the contract the browser does (ruling 24). */
const latestRelease = (): Promise<Release> => (currentStatus().update_check ? call(getLatestRelease) : askCodeHost());

const check = async (): Promise<void> => {
  const { build, version } = currentStatus();
  const release = await latestRelease();
  if (release.tag_name === '' || release.tag_name === (build ?? version)) {
    toast('success', m.setting_update_none({ version: build ?? version ?? '' }));
    return;
  }
  const { openTextDialog } = await import('../../../components/overlay/text-dialog.tsx');
  openTextDialog({
    title: m.setting_update_new({ version: release.tag_name }),
    markdown: release.body,
    ...(release.html_url === '' ? {} : { link: { href: release.html_url, text: m.setting_update_link() } }),
  });
};

/** Shows whether there is a newer release, and its notes; or how to set where releases are read from. */
export const UpdateCheck = () => {
  const t = useT();
  const { build, version, update_check: offered } = useStatus();
  const [busy, setBusy] = useState(false);
  const run = (): void => {
    setBusy(true);
    check()
      .catch(toastFailure)
      .finally(() => setBusy(false));
  };
  // Another server of the contract does not say; then the browser asks, if it knows the code host.
  const asks = offered ?? foreignReleases !== '';
  return (
    <div className="flex flex-wrap items-center gap-3">
      {asks && (
        <Button icon="refresh" busy={busy} onClick={run}>
          {t(m.setting_update_check)}
        </Button>
      )}
      <span className="text-13 text-mute">{t(m.setting_update_running, { version: build ?? version ?? '' })}</span>
      {!asks && (
        <p className="w-full text-13 text-mute">
          {t(offered === false ? m.setting_update_off : m.setting_update_unknown)}
        </p>
      )}
    </div>
  );
};
