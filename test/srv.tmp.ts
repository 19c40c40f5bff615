import { startBench, largeDatabase } from './load/large.ts'
import { spawn } from 'node:child_process'
const { embedded, folder } = await startBench()
const url = await largeDatabase(embedded, 1_000_000)
console.log(url)
const child = spawn(
  process.execPath,
  [...(process.env.PROF ? ['--cpu-prof', '--cpu-prof-dir=/tmp/w/prof'] : []), 'src/server/main.ts'],
  {
    stdio: 'inherit',
    env: {
      ...process.env,
      NODE_ENV: 'production', NODE_OPTIONS: '',
      HOST: '127.0.0.1',
      LOG_LEVEL: 'error',
      DATABASE_URL: url,
      DATA_DIR: `${folder}/files`,
      TOKEN_SECRET: 'a-secret-for-the-bench-of-more-than-32-letters',
      DEMO: '0',
      PORT: '3999',
      CACHE_MS: process.env.CACHE_MS ?? '1000',
    },
  },
)
process.on('SIGTERM', () => {
  child.kill('SIGTERM')
  child.on('exit', () => void embedded.stop().then(() => process.exit()))
})
await new Promise(() => undefined)
