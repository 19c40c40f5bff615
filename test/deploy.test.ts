import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request, type IncomingHttpHeaders, type RequestOptions } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { en } from '#shared/text/en.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { freePort } from '#test/free-port.ts'
import { openWorld } from '#test/world.ts'
import { serverEnvironment, serverFlags } from '../scripts/node.mjs'

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

test('every setting in deploy is one that the product reads, and every one that it reads is described', () => {
  const known = [...read('src/server/config.ts').matchAll(/^ {2}([A-Z][A-Z0-9_]+): z?[.A-Z\n]/gm)].map(([, name = '']) => name)
  expect(known.length).toBeGreaterThan(35)
  const app = /x-app: &app\n[^]*?\n\n/.exec(compose)?.[0] ?? ''
  const used = [
    ...[...app.matchAll(/^ {4}([A-Z0-9_]+):/gm)].map(([, name]) => name),
    ...[...kubernetes.matchAll(/- \{ name: ([A-Z0-9_]+), value/g)].map(([, name]) => name),
    ...[...dockerfile.matchAll(/([A-Z_]+)=/g)].map(([, name]) => name),
  ]
  // Taken away from the app, and read by libraries.
  const others = ['POSTGRES_ADMIN_PASSWORD', 'POSTGRES_PASSWORD', 'S3_ROOT_SECRET', 'NODE_ENV', ...Object.keys(serverEnvironment)]
  expect(used.length).toBeGreaterThan(20)
  expect(used.filter((name = '') => !known.includes(name) && !others.includes(name))).toEqual([])
  const operations = read('docs/operations.md')
  expect(known.filter((name) => !new RegExp(`^\\|[^|]*\`${name}\``, 'm').test(operations))).toEqual([])
})

test('what the container holds is there, and nothing secret is sent to its builder', () => {
  const copied = [...dockerfile.matchAll(/^COPY --from=build (.+) \S+$/gm)].flatMap(([, paths = '']) =>
    paths.split(' ').map((path) => path.replace('/srv/', '')),
  )
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  // With what its commands are started by.
  expect(scripts.manage).toMatch(/^node scripts\/run\.mjs src\//)
  expect(copied.toSorted()).toEqual(['build', 'db', 'node_modules', 'package.json', 'scripts/node.mjs', 'scripts/run.mjs', 'src'])
  for (const path of copied) if (path !== 'build') expect(existsSync(new URL(`../${path}`, import.meta.url)), path).toBe(true)
  expect(dockerfile).toContain(`CMD ${JSON.stringify(['node', ...serverFlags, 'src/server/main.ts']).replaceAll(',', ', ')}`)
  for (const [name, value] of Object.entries(serverEnvironment)) expect(dockerfile).toMatch(new RegExp(`^ENV.* ${name}=${value}( |$)`, 'm'))
  const left = read('.dockerignore').split('\n')
  for (const path of ['data', 'deploy/.env', 'deploy/backups', 'deploy/tls', '.git', 'node_modules']) expect(left).toContain(path)
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
    'listen 8443 ssl; http2 on; ssl_certificate /tls/fullchain.pem; ssl_certificate_key /tls/privkey.pem; ssl_protocols TLSv1.2 TLSv1.3; if ($is_plain) { return 301 https://$host$request_uri; }',
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

test('what nginx refuses by itself is worded like the refusals of the app', () => {
  const wordsOf = (language: string) => {
    const lines = new RegExp(`map \\$status \\$refused_${language} \\{\\n([^}]*)\\}`).exec(nginx)?.[1] ?? ''
    return Object.fromEntries([...lines.matchAll(/^\s*(\S+) '([^']*)';$/gm)].map(([, status = '', words = '']) => [status, words]))
  }
  for (const [language, { refusal }] of [
    ['zh', zhCn],
    ['en', en],
  ] as const)
    expect(wordsOf(language)).toEqual({
      default: refusal.unavailable,
      '~^4': refusal.bad_request,
      404: refusal.route_unknown,
      413: refusal.too_large,
      429: refusal.too_many,
    })
})

test('the calls that take a file, and no others, may send a large body', async () => {
  const world = await openWorld()
  await world.close()
  const endpoints = world.api.routes.map(({ endpoint }) => endpoint)
  const uploads = endpoints.filter(({ upload }) => upload).map(({ url }) => url)
  expect(uploads.length).toBeGreaterThan(3)
  const [, pattern = ''] = /location ~ (\S+) \{\n +client_max_body_size 25m;/.exec(nginx) ?? []
  for (const { url, upload = false } of endpoints)
    for (const address of [url, `${url}/`, `/prod-api${url}`])
      expect([address, new RegExp(pattern).test(address)]).toEqual([address, upload])
  expect(nginx.match(/client_max_body_size 25m/g)).toHaveLength(1)
  const { 1: ingress = '' } = /name: zhujitong-uploads\n([^]*)/.exec(kubernetes) ?? []
  const paths = [...ingress.matchAll(/path: \/prod-api(\S+),/g)].map(([, path]) => path)
  expect(paths.toSorted()).toEqual(uploads.toSorted())
  expect(compose).toContain("tmpfs: ['/tmp:uid=101,gid=101,size=1g']")
})

type Answer = { status: number; headers: IncomingHttpHeaders; body: string }

const ask = (options: RequestOptions) =>
  new Promise<Answer>((done, fail) => {
    request({ host: '127.0.0.1', ...options }, (answer) => {
      let body = ''
      answer
        .setEncoding('utf8')
        .on('data', (text: string) => (body += text))
        .on('end', () => done({ status: answer.statusCode ?? 0, headers: answer.headers, body }))
    })
      .once('error', fail)
      .end()
  })

const isOlderNginx = /nginx\/1\.(\d|1\d|2[0-4])\./.test(spawnSync('nginx', ['-v'], { encoding: 'utf8' }).stderr ?? '')

// Its package is called nginx; the journeys through two instances need it as well.
if (spawnSync('nginx', ['-v']).status === 0) {
  test.each(['', '10.0.0.0/8 192.0.2.7'])('nginx takes the settings of its container, with TLS, behind the balancers "%s"', (balancers) => {
    const folder = mkdtempSync(join(tmpdir(), 'zhujitong-nginx-'))
    try {
      const [key, certificate] = [join(folder, 'privkey.pem'), join(folder, 'fullchain.pem')]
      const made = [
        'req',
        '-x509',
        '-newkey',
        'rsa:2048',
        '-nodes',
        '-days',
        '1',
        '-subj',
        '/CN=localhost',
        '-keyout',
        key,
        '-out',
        certificate,
      ]
      execFileSync('openssl', made, { stdio: 'ignore' })
      const settings = nginxSettings(balancers)
        .replaceAll('/tmp/zhujitong-nginx', '/tls/nginx')
        .replaceAll('/tls/', `${folder}/`)
        // The names of the two instances exist in the network of the containers only.
        .replaceAll(/server app\d:/g, 'server 127.0.0.1:')
        // Of nginx 1.25.1 and later, as in the container.
        .replace(isOlderNginx ? ' http2 on;' : /$^/, '')
      const file = join(folder, 'nginx.conf')
      writeFileSync(file, settings)
      const { status, stderr } = spawnSync('nginx', ['-t', '-c', file], { encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'] })
      expect([status, stderr]).toEqual([0, expect.stringContaining('test is successful')])
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

  /** Runs nginx with these settings in front of instances that are away. */
  async function withNginx(settings: string, work: (port: number, folder: string) => Promise<void>) {
    const folder = mkdtempSync(join(tmpdir(), 'zhujitong-nginx-'))
    const [port, nobody] = [await freePort(), await freePort()]
    const file = join(folder, 'nginx.conf')
    const filled = settings.replace('@APPS@', `server 127.0.0.1:${nobody};`).replace('@LISTEN@', `127.0.0.1:${port}`)
    writeFileSync(file, filled.replaceAll('/tmp/zhujitong-nginx', join(folder, 'nginx')))
    const server = spawn('nginx', ['-c', file, '-g', 'daemon off;'], {
      stdio: ['ignore', 'ignore', openSync(join(folder, 'errors.log'), 'w')],
    })
    try {
      await expect.poll(() => ask({ port, path: '/metrics' }).catch(() => null)).not.toBeNull()
      await work(port, folder)
    } finally {
      const ended = new Promise((done) => server.once('exit', done))
      server.kill()
      await ended
      rmSync(folder, { recursive: true, force: true })
    }
  }

  test('nginx counts the addresses of a /64 of IPv6 as one, and each of IPv4 by itself', async () => {
    const settings = nginx
      .replace('rate=100r/s', 'rate=1r/m')
      .replace('burst=400', 'burst=1')
      .replace('# @BALANCERS@', 'set_real_ip_from 127.0.0.1; real_ip_header X-Forwarded-For;')
    await withNginx(settings, async (port) => {
      const statuses = async (...addresses: string[]) => {
        const found: number[] = []
        for (const address of addresses) found.push((await ask({ port, path: '/', headers: { 'x-forwarded-for': address } })).status)
        return found
      }
      expect(await statuses('2001:db8:1:2::1', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::9')).toEqual([502, 502, 429])
      expect(await statuses('2001:db8::1', '2001:db8:0:0:7::', '2001:db8::9')).toEqual([502, 502, 429])
      expect(await statuses('2001:db8:1:3::1', '203.0.113.1', '203.0.113.2', '203.0.113.3')).toEqual([502, 502, 502, 502])
      expect(await statuses('::ffff:203.0.113.4', '::ffff:203.0.113.5', '203.0.113.4', '203.0.113.4')).toEqual([502, 502, 502, 429])
    })
  })

  test('nginx takes twenty files at once from one address, and answers it meanwhile', () =>
    withNginx(nginx, async (port) => {
      const head = {
        port,
        host: '127.0.0.1',
        path: '/prod-api/file/upload',
        method: 'POST',
        headers: { 'content-length': 20 * 1024 * 1024 },
      }
      let refused = 0
      const slow = Array.from({ length: 21 }, () => request(head, () => void refused++).on('error', () => undefined))
      for (const one of slow) one.write('the first of many bytes')
      try {
        await expect.poll(() => refused).toBe(1)
        const { status, body } = await ask({ port, path: head.path, method: 'POST' })
        expect([status, JSON.parse(body)]).toMatchObject([429, { msg: zhCn.refusal.too_many }])
        expect((await ask({ port, path: '/' })).status).toBe(502)
      } finally {
        for (const one of slow) one.destroy()
      }
    }))

  test('what nginx refuses by itself has the form and the headers of the app', () =>
    withNginx(nginx, async (port, folder) => {
      const { refusal } = zhCn
      const refused: [RequestOptions, number, string][] = [
        [{ path: '/metrics' }, 404, refusal.route_unknown],
        [{ path: '/prod-api/x', method: 'POST', headers: { 'content-length': 2 * 1024 * 1024 } }, 413, refusal.too_large],
        [{ path: '/prod-api/file/upload', method: 'POST', headers: { 'content-length': 26 * 1024 * 1024 } }, 413, refusal.too_large],
        [{ path: '/', headers: { host: 'a b' } }, 400, refusal.bad_request],
        [{ path: '/%zz' }, 400, refusal.bad_request],
        [{ path: '/', headers: { 'x-long': 'x'.repeat(40_000) } }, 400, refusal.bad_request],
        [{ path: '/' }, 502, refusal.unavailable],
        [{ path: '/', headers: { 'accept-language': 'en-US' } }, 502, en.refusal.unavailable],
      ]
      for (const [options, status, msg] of refused) {
        const answer = await ask({ port, ...options })
        expect([answer.status, JSON.parse(answer.body)]).toEqual([status, { code: status, msg, data: null }])
        expect(answer.headers).toMatchObject({
          'content-type': 'application/json; charset=utf-8',
          'content-security-policy': "default-src 'none';frame-ancestors 'none'",
          'x-content-type-options': 'nosniff',
          'referrer-policy': 'no-referrer',
          'cache-control': 'no-store',
        })
        expect(answer.headers['strict-transport-security']).toBeUndefined()
      }
      const page = await ask({ port, path: '/', headers: { accept: 'text/html,*/*', 'x-forwarded-proto': 'https' } })
      expect([page.status, page.headers['content-type']]).toEqual([502, 'text/html; charset=utf-8'])
      expect(page.headers['strict-transport-security']).toContain('max-age=')
      expect(page.body).toContain(`<h1>${refusal.unavailable}</h1>`)
      // Its logs name the network of a visitor and the path, not the address nor what was searched for.
      await ask({ port, path: '/prod-api/list?phonenumber=13900000000' })
      const failures = () => readFileSync(join(folder, 'nginx-failures.log'), 'utf8')
      await expect.poll(failures).toMatch(/ 502 127\.0\.x\.x GET \/prod-api\/list upstream=127\.0\.0\.1:\d+ upstream_status=502 /)
      expect(failures()).not.toMatch(/ 4\d\d |13900000000/)
      expect(readFileSync(join(folder, 'errors.log'), 'utf8')).not.toMatch(/client: |13900000000/)
    }))
}
