import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const read = (name: string) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8')
const [compose, dockerfile, kubernetes, nginx, database, files] = [
  'deploy/compose.yaml',
  'deploy/Dockerfile',
  'deploy/kubernetes.yaml',
  'deploy/nginx.conf',
  'deploy/database.sh',
  'deploy/files.sh',
].map(read) as [string, string, string, string, string, string]

test('every image is an exact version, and the Node in the container is the one of the packages', () => {
  const images = [...`${compose}${kubernetes}`.matchAll(/^\s*(?:- )?image: (\S+)$/gm), ...dockerfile.matchAll(/^FROM (\S+)/gm)].map(
    ([, image]) => image,
  )
  expect(images.length).toBeGreaterThanOrEqual(7)
  for (const image of images) expect(image).toMatch(/^[\w./-]+(?::v?\d+\.\d+[\w.-]*|:RELEASE\.\d{4}-[\w-]+|@sha256:[0-9a-f]{64})$/)
  const { optionalDependencies } = JSON.parse(read('package.json')) as { optionalDependencies: Record<string, string> }
  for (const version of Object.values(optionalDependencies)) expect(images).toContain(`node:${version}-bookworm-slim`)
})

test('the app has users of its own, which are owners of their own data and nothing more', () => {
  expect(compose).toContain('postgres://zhujitong:')
  expect(compose).toContain('POSTGRES_USER: postgres')
  expect(database).toMatch(/create role zhujitong login nosuperuser nocreatedb nocreaterole noreplication/)
  expect(compose).toContain('S3_KEY_ID: zhujitong')
  expect(compose).toContain('MINIO_ROOT_USER: root')
  expect(files).toContain('arn:aws:s3:::zhujitong/*')
  expect(dockerfile).toMatch(/^USER node$/m)
  for (const name of ['app', 'nginx', 'files']) expect(compose).toMatch(new RegExp(`${name}:(?: &app)?\\n +<<: \\*contained`))
})

/** The settings of nginx as its container writes them. */
function nginxSettings(balancers: string): string {
  const script = /- \|\n((?: {8}.*\n)+)/.exec(compose)?.[1] ?? ''
  const folder = mkdtempSync(join(tmpdir(), 'zhujitong-nginx-'))
  try {
    const commands = script
      .replaceAll('$$', '$')
      .replace('/template.conf', fileURLToPath(new URL('../deploy/nginx.conf', import.meta.url)))
      .replaceAll('/tmp/nginx.conf', join(folder, 'nginx.conf'))
      .replace(/exec nginx .*/, 'true')
    execFileSync('sh', ['-c', commands], { env: { ...process.env, BALANCERS: balancers } })
    return readFileSync(join(folder, 'nginx.conf'), 'utf8')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

test('people are answered over TLS, and who comes through a balancer has their own address', () => {
  const alone = nginxSettings('')
  for (const line of [
    'server app1:3000 max_fails=0; server app2:3000 max_fails=0;',
    'listen 8080;',
    'listen 8443 ssl; http2 on; ssl_certificate /tls/fullchain.pem; ssl_certificate_key /tls/privkey.pem; ssl_protocols TLSv1.2 TLSv1.3; if ($scheme = http) { return 301 https://$host$request_uri; }',
    'proxy_set_header X-Forwarded-For $remote_addr;',
    "proxy_set_header X-Forwarded-Host '';",
  ])
    expect(alone.split('\n').map((one) => one.trim())).toContain(line)
  expect(alone).not.toMatch(/@\w+@|^\s*set_real_ip_from/m)
  expect(nginxSettings('10.0.0.0/8 192.0.2.7')).toMatch(
    /^ +set_real_ip_from 10\.0\.0\.0\/8; set_real_ip_from 192\.0\.2\.7; real_ip_header X-Forwarded-For; real_ip_recursive on;$/m,
  )
  expect(kubernetes).toContain("force-ssl-redirect: 'true'")
})

test('each place that is filled in stands once in the settings of nginx', () => {
  const places = [...nginx.matchAll(/@\w+@/g)].map(([place]) => place)
  expect(places.toSorted()).toEqual(['@APPS@', '@BALANCERS@', '@LISTEN@', '@TLS@'])
})
