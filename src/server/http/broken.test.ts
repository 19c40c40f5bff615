import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { saveDraft } from '#shared/demand/contract.ts'
import { uploadFile } from '#shared/file/contract.ts'
import { paths } from '#shared/paths.ts'
import { openWorld } from '#test/world.ts'
import { isHost, readablePath } from './address.ts'
import { levelsOf } from './nesting.ts'

const world = await openWorld({ pages: true, cacheMs: 60_000 })
const { server, cast, depts } = world
let port = 0
beforeAll(async () => {
  await server.listen({ port: 0, host: '127.0.0.1' })
  port = (server.server.address() as AddressInfo).port
})
afterAll(() => world.close())

/** What a request, written letter for letter, is answered. */
async function raw(text: string): Promise<{ status: number; headers: string; body: string }> {
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  socket.on('data', (data: Buffer) => (answer += data.toString()))
  socket.write(text)
  await once(socket, 'close')
  const [headers = '', body = ''] = answer.split('\r\n\r\n')
  return { status: Number(headers.slice(9, 12)), headers: headers.toLowerCase(), body }
}

describe('a Host', () => {
  test.each([paths.home, paths.about, paths.demands(), '/sitemap.xml', '/robots.txt', '/prod-api/business/category/tree'])(
    'is not needed by HTTP/1.0 (%s)',
    async (path) => {
      expect((await raw(`GET ${path} HTTP/1.0\r\n\r\n`)).status).toBe(200)
    },
  )
  test.each([
    'a b',
    '<script>',
    'evil.example/path',
    'user@evil.example',
    'evil.example:port',
    '%zz',
    '[::1',
    "x'; script-src *",
    '999.1.1.1',
    'foo.1',
    'a:99999',
  ])('that is no name is refused: %s', async (host) => {
    for (const path of ['/', '/prod-api/business/category/tree', '/sitemap.xml']) {
      const { status, headers } = await raw(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
      expect([path, status]).toEqual([path, 400])
      expect(headers).toContain('x-content-type-options: nosniff')
    }
  })
  test('is a name or an address, with a port or without', () => {
    for (const host of ['localhost', 'example.cn:3000', '127.0.0.1', '[::1]:80', 'app_1', 'xn--fiq228c.cn', 'example.cn.'])
      expect([host, isHost(host, '1.1')]).toEqual([host, true])
    expect(isHost('', '1.0')).toBe(false)
  })
  test('that HTTP/1.1 leaves out is missed in the words and with the headers of every refusal', async () => {
    const { status, headers, body } = await raw('GET /about HTTP/1.1\r\nConnection: close\r\n\r\n')
    expect([status, JSON.parse(body)]).toEqual([400, { code: 400, msg: '参数错误', data: null }])
    for (const name of ['content-security-policy', 'x-content-type-options', 'x-request-id']) expect(headers).toContain(`${name}: `)
  })
})

describe('an address', () => {
  test.each(['/%zz', '/prod-api/business/%E0%A4%A', '/demand/%'])(
    'that does not decode is refused like everything else: %s',
    async (path) => {
      const { statusCode, headers, body } = await server.inject({ url: path })
      const { headers: usual } = await server.inject('/prod-api/nothing/here')
      expect([statusCode, JSON.parse(body)]).toEqual([400, { code: 400, msg: '参数错误', data: null }])
      for (const name of ['content-security-policy', 'x-content-type-options', 'x-frame-options', 'referrer-policy', 'x-request-id'])
        expect([name, headers[name] !== undefined, usual[name] !== undefined]).toEqual([name, true, true])
    },
  )
  test('with an origin of its own names no other site', async () => {
    for (const target of ['http://evil.example/about', '//evil.example/about']) {
      const { status, body } = await raw(`GET ${target} HTTP/1.1\r\nHost: own.example\r\nConnection: close\r\n\r\n`)
      expect([200, 404]).toContain(status)
      expect(body).not.toContain('http://evil.example')
    }
    expect(readablePath('http://evil.example?x=1')).toBe('/.unreadable')
    expect(readablePath('HTTPS://evil.example/a?b=%zz')).toBe('/a?b=%zz')
  })
  test('of an id of any length is answered by its call', async () => {
    const { statusCode, body } = await server.inject(`/prod-api/business/leasingDemand/firstPageList/${'9'.repeat(5000)}`)
    expect([statusCode, JSON.parse(body)]).toMatchObject([200, { code: 404 }])
  })
  test('[S3.5] of the API that no call has is answered by the API, though there are pages', async () => {
    for (const url of ['/prod-api/nothing/here', '/prod-api', '/prod-api?x=1', '/prod-api/'])
      for (const method of ['GET', 'POST', 'HEAD'] as const) {
        const { statusCode, headers, body } = await server.inject({ method, url })
        expect([url, statusCode, headers['content-type']]).toEqual([url, 404, 'application/json; charset=utf-8'])
        if (method !== 'HEAD') expect(JSON.parse(body)).toEqual({ code: 404, msg: '路由未找到', data: null })
      }
    expect((await server.inject('/prod-apidocs')).headers['content-type']).toContain('text/html')
  })
})

test('an expectation that nobody knows changes nothing', async () => {
  const { status, headers } = await raw('GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: nonsense\r\nConnection: close\r\n\r\n')
  expect(status).toBe(200)
  expect(headers).toContain('x-content-type-options: nosniff')
})

test('what is no HTTP is refused with headers of its own', async () => {
  const { status, headers } = await raw('NONSENSE\r\n\r\n')
  expect(status).toBe(400)
  expect(headers).toContain("content-security-policy: default-src 'none'")
  expect((await raw(`GET / HTTP/1.1\r\nHost: x\r\nx-long: ${'x'.repeat(20_000)}\r\n\r\n`)).status).toBe(431)
})

describe('JSON of many levels', () => {
  const nested = (levels: number, open: string, close: string) => `${open.repeat(levels)}1${close.repeat(levels)}`
  test.each([
    ['lists', '[', ']'],
    ['objects', '{"a":', '}'],
  ])('is a broken request, for a draft too (%s)', async (_, open, close) => {
    for (const levels of [40, 5000, 100_000]) {
      const body = `{"deptId":${depts.projectDept},"form":{"title":${nested(levels, open, close)}}}`
      const answer = await world.send({ method: 'POST', url: `/prod-api${saveDraft.url}`, token: cast.project.token, body })
      expect([answer.http, answer.code]).toEqual([400, 400])
    }
  })
  test('is counted outside of strings only', () => {
    expect(levelsOf('{"a":[1,{"b":"[[[[\\"[[[["}]}')).toBe(3)
    expect(levelsOf('[][][]')).toBe(1)
    expect(levelsOf('"\\\\"[')).toBe(1)
  })
})

describe('a form that cannot be read is a broken request', () => {
  const part = (name: string) => `--b\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\ncontent-type: image/png\r\n\r\n`
  test.each([
    ['without a boundary', 'multipart/form-data', part('a.png')],
    ['with an empty boundary', 'multipart/form-data; boundary=', part('a.png')],
    ['that ends in the middle of a file', 'multipart/form-data; boundary=b', `${part('a.png')}abc`],
    ['that ends in a header', 'multipart/form-data; boundary=b', '--b\r\ncontent-disp'],
    ['whose part has no header', 'multipart/form-data; boundary=b', '--b\r\n\r\nabc\r\n--b--\r\n'],
    ['whose header is none', 'multipart/form-data; boundary=b', '--b\r\n:::\r\n\r\nabc\r\n--b--\r\n'],
    ['that is nothing', 'multipart/form-data; boundary=b', ''],
    ['that is something else', 'multipart/form-data; boundary=b', '{"a":1}'],
    [
      'that names a prototype',
      'multipart/form-data; boundary=b',
      '--b\r\ncontent-disposition: form-data; name="__proto__"\r\n\r\n1\r\n--b--\r\n',
    ],
    ['with two files', 'multipart/form-data; boundary=b', `${part('a.png')}abc\r\n${part('b.png')}abc\r\n--b--\r\n`],
    ['of many fields', 'multipart/form-data; boundary=b', '--b\r\ncontent-disposition: form-data; name="x"\r\n\r\n1\r\n'.repeat(50)],
  ])('%s', async (_, type, payload) => {
    const { statusCode, body } = await server.inject({
      method: 'POST',
      url: `/prod-api${uploadFile.url}`,
      headers: { authorization: cast.project.token ?? '', 'content-type': type },
      payload,
    })
    const { code } = JSON.parse(body) as { code: number }
    expect([200, 400, 413]).toContain(statusCode)
    expect([400, 413, 422]).toContain(code)
  })
  test('and takes nobody else along', async () => {
    expect((await server.inject('/readyz')).statusCode).toBe(200)
  })
})
