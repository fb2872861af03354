import { Component } from 'react';
import type { ReactNode } from 'react';
import { Button } from '../components/button.tsx';
import { Empty } from '../components/empty.tsx';
import { copyText } from '../lib/browser/clipboard.ts';
import { failureText } from '../lib/api/failure-text.ts';
import { useT } from '../lib/hooks/use-t.ts';
import { useShownPath } from '../lib/router/navigate.ts';
import { m } from '../paraglide/messages.js';

const detailsOf = (error: unknown): string =>
  `${(error instanceof Error && error.stack) || String(error)}\n${location.pathname}\n${new Date().toISOString()}`;

/** Shown for a screen that threw: the error, the navigation and a way to recover. */
const Crashed = ({ error }: { readonly error: unknown }) => {
  const t = useT();
  return (
    <div role="alert">
      <Empty icon="alert" title={t(m.crashed)} text={failureText(error)}>
        <Button look="primary" icon="refresh" onClick={() => location.reload()}>
          {t(m.reload)}
        </Button>
        <Button icon="copy" onClick={() => void copyText(detailsOf(error))}>
          {t(m.copy_details)}
        </Button>
      </Empty>
    </div>
  );
};

interface BoundaryProps {
  readonly path: string;
  readonly children: ReactNode;
}

interface BoundaryState {
  readonly failure?: { readonly error: unknown; readonly path: string };
}

// React has no hook for this.
class Boundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = {};

  static getDerivedStateFromError(error: unknown) {
    return { failure: { error, path: location.pathname } };
  }

  override render() {
    const { failure } = this.state;
    return failure?.path === this.props.path ? <Crashed error={failure.error} /> : this.props.children;
  }
}

/** Contains an error of a screen so that the frame stays; navigating to another address resets it. */
export const CrashBoundary = ({ children }: { readonly children: ReactNode }) => (
  <Boundary path={useShownPath()}>{children}</Boundary>
);
