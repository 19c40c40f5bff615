import { readFileSync } from 'node:fs'
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

test('people are answered over TLS, and who comes through a balancer has their own address', () => {
  expect(compose).toContain('ssl_protocols TLSv1.2 TLSv1.3')
  expect(compose).toContain('return 301 https://')
  expect(kubernetes).toContain("force-ssl-redirect: 'true'")
  for (const place of ['# @BALANCERS@', '# @TLS@']) {
    expect(nginx).toContain(`\n${nginx.match(new RegExp(`( *)${place}`))?.[1]}${place}\n`)
    expect(compose).toContain(`s|${place}|`)
  }
  expect(compose).toContain('real_ip_header X-Forwarded-For; real_ip_recursive on;')
  expect(nginx).toContain('proxy_set_header X-Forwarded-For $remote_addr;')
})
