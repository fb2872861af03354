import { getLatestRelease } from '@weir/contract/releases';
import type { Release } from '@weir/contract/releases';
import { useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { asText } from '../../../lib/format/as-text.ts';
import { CallError } from '../../../lib/api/call-error.ts';
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

/** The server requests the code host; without such a call the browser does (ruling 24). Null: unknown. */
const latestRelease = async (): Promise<Release | null> => {
  try {
    return await call(getLatestRelease);
  } catch (error) {
    const unknown = error instanceof CallError && error.status === 404;
    if (!unknown) throw error;
    return foreignReleases === '' ? null : askCodeHost();
  }
};

const check = async (): Promise<void> => {
  const { build, version } = currentStatus();
  const release = await latestRelease();
  if (release === null) {
    toast('info', m.setting_update_unknown());
    return;
  }
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

/** Shows whether there is a newer release, and its notes. */
export const UpdateCheck = () => {
  const t = useT();
  const { build, version } = useStatus();
  const [busy, setBusy] = useState(false);
  const run = (): void => {
    setBusy(true);
    check()
      .catch(toastFailure)
      .finally(() => setBusy(false));
  };
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button icon="refresh" busy={busy} onClick={run}>
        {t(m.setting_update_check)}
      </Button>
      <span className="text-13 text-mute">{t(m.setting_update_running, { version: build ?? version ?? '' })}</span>
    </div>
  );
};
