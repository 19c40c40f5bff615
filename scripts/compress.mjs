// Writes .br and .gz beside every text file of the build, so that nothing is compressed at request time.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { root } from './node.mjs'

const folder = join(root, 'build/client')
for (const name of readdirSync(folder, { recursive: true })) {
  if (!/\.(js|css|svg|json|txt)$/.test(name)) continue
  const path = join(folder, name)
  const content = readFileSync(path)
  if (content.length < 300) continue
  writeFileSync(`${path}.br`, brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }))
  writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }))
}
