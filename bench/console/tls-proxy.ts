import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../server/test/processes/server-process.ts';

/** nginx with TLS and HTTP/2 in front of a gateway, as in production; its certificate is signed by itself. */
export interface TlsProxy {
  readonly url: string;
  stop(): Promise<void>;
}

/** Needs nginx and openssl. The gateway must trust 127.0.0.1 as a proxy. */
export const startTlsProxy = async (gateway: string): Promise<TlsProxy> => {
  const dir = mkdtempSync(join(tmpdir(), 'weir-tls-'));
  const port = await freePort();
  const [key, certificate, config] = [join(dir, 'key.pem'), join(dir, 'certificate.pem'), join(dir, 'nginx.conf')];
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', certificate, ...subject];
  execFileSync('openssl', request, { stdio: 'ignore' });
  writeFileSync(
    config,
    `daemon off; worker_processes 1; pid ${dir}/nginx.pid; error_log ${dir}/error.log;
events { worker_connections 1024; }
http { access_log off; client_body_temp_path ${dir}; proxy_temp_path ${dir};
  server { listen 127.0.0.1:${port} ssl http2; ssl_certificate ${certificate}; ssl_certificate_key ${key};
    location / { proxy_pass ${gateway}; proxy_http_version 1.1; proxy_set_header Connection "";
      proxy_set_header Host $http_host; proxy_set_header X-Forwarded-For $remote_addr;
      proxy_set_header X-Forwarded-Proto https; } } }`,
  );
  const child = spawn('nginx', ['-p', dir, '-c', config], { stdio: 'inherit' });
  await new Promise((resolve) => setTimeout(resolve, 500));
  return {
    url: `https://127.0.0.1:${port}`,
    stop: async () => {
      child.kill('SIGTERM');
      await once(child, 'exit');
      rmSync(dir, { recursive: true, force: true });
    },
  };
};
