// Runs a TypeScript file with the Node that is installed with the project.
import { spawnSync } from 'node:child_process'
import { projectNode } from './node.mjs'

const [file, ...args] = process.argv.slice(2)
const { status } = spawnSync(projectNode(), [file, ...args], { stdio: 'inherit' })
process.exit(status ?? 1)
