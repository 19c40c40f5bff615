// npm start: installs and builds what a bare machine lacks, then runs the product.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { projectNode, root, serverEnvironment, serverFlags } from './node.mjs'
import { build, install } from './prepare.mjs'

install()
build()
const server = spawn(projectNode(), [...serverFlags, join(root, 'src/server/main.ts')], {
  cwd: root,
  stdio: 'inherit',
  env: { ...serverEnvironment, ...process.env, NODE_ENV: 'production' },
})
// The server receives Ctrl-C itself; SIGTERM to this process is passed on.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => signal !== 'SIGINT' && server.kill(signal))
server.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
