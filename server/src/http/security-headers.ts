import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';
import * as v from 'valibot';
import type { Options } from '../store/options.ts';

interface SecurityHeadersOptions {
  /** The folder of the console's build; its inline script and style are allowed by hash. */
  readonly consoleDir: string;
  readonly options: Options;
  /** The URL of the human-verification widget. */
  readonly turnstileUrl: string;
}

const hashesSchema = v.object({ script: v.string(), style: v.string() });

/** The hashes of the page's inline script and style. Not built: there is no page that would need them. */
const readHashes = (consoleDir: string): { readonly script: readonly string[]; readonly style: readonly string[] } => {
  const path = join(consoleDir, 'csp.json');
  if (!existsSync(path)) return { script: [], style: [] };
  const { script, style } = v.parse(hashesSchema, JSON.parse(readFileSync(path, 'utf8')));
  return { script: [script], style: [style] };
};

const originOf = (address: string): string[] =>
  URL.canParse(address) && /^https?:/i.test(address) ? [new URL(address).origin] : [];

/** Sites that the operator lets the console frame. */
const framed = (options: Options): string[] =>
  [options.text('ChatLink'), options.text('HomePageContent'), options.text('About')].flatMap(originOf);

/** Pictures that the operator chose and that https does not cover anyway. */
const pictured = (options: Options): string[] =>
  [options.text('Logo'), options.text('WeChatAccountQRCodeImageURL')].flatMap(originOf);

/** Headers of every answer of the management plane, error pages and static files included (no inline code but our own). */
export const addSecurityHeaders = async (
  app: FastifyInstance,
  { consoleDir, options, turnstileUrl }: SecurityHeadersOptions,
): Promise<void> => {
  const hashes = readHashes(consoleDir);
  const [widgetOrigin = ''] = originOf(turnstileUrl);
  /** The widget's script and frame, while the human check is on. */
  const humanCheck = (): string => (options.get('TurnstileCheckEnabled') ? widgetOrigin : '');
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'", ...hashes.script, () => humanCheck()],
        styleSrc: ["'self'", ...hashes.style],
        imgSrc: ["'self'", 'data:', 'https:', () => pictured(options).join(' ')],
        fontSrc: ["'self'"],
        connectSrc: ["'self'"],
        frameSrc: ["'self'", () => [...framed(options), humanCheck()].join(' ')],
        formAction: ["'self'"],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
        objectSrc: ["'none'"],
        manifestSrc: ["'self'"],
        requireTrustedTypesFor: ["'script'"],
        trustedTypes: ['weir', 'dompurify'],
      },
    },
    referrerPolicy: { policy: 'same-origin' },
    frameguard: { action: 'deny' },
    hsts: { maxAge: 31_536_000, includeSubDomains: false },
    crossOriginEmbedderPolicy: false,
  });
  const off = ['camera', 'microphone', 'geolocation', 'payment', 'usb'].map((feature) => `${feature}=()`);
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('permissions-policy', off.join(', '));
  });
};
