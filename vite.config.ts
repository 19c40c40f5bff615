import { reactRouter } from '@react-router/dev/vite'
import { defineConfig } from 'vite'
import { leanContracts } from './scripts/lean-contracts.mjs'

export default defineConfig({
  plugins: [reactRouter(), leanContracts()],
  build: { target: 'es2022', assetsInlineLimit: 0 },
  ssr: { noExternal: [/^antd/, /^@ant-design/, /^@rc-component/, /^rc-/] },
})
