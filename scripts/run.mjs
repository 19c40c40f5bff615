// Runs a TypeScript file with the Node that is installed with the project.
import { spawn } from 'node:child_process'
import { projectNode } from './node.mjs'

const [file, ...args] = process.argv.slice(2)
const child = spawn(projectNode(), [file, ...args], { stdio: 'inherit' })
// The program receives Ctrl-C itself; SIGTERM to this process is passed on.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => signal !== 'SIGINT' && child.kill(signal))
child.on('error', (error) => {
  console.error(error.message)
  process.exit(1)
})
child.on('exit', (code) => process.exit(code ?? 1))
