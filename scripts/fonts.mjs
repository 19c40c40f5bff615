// Copies the two fonts of PDFs, with their licence, from their package to the build. The package has nine weights and is not shipped.
import { cpSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from './node.mjs'

const from = join(root, 'node_modules/@expo-google-fonts/noto-sans-sc')
const to = join(root, 'build/fonts')

for (const name of ['400Regular/NotoSansSC_400Regular.ttf', '700Bold/NotoSansSC_700Bold.ttf', 'LICENSE_FONT']) {
  mkdirSync(dirname(join(to, name)), { recursive: true })
  cpSync(join(from, name), join(to, name))
}
