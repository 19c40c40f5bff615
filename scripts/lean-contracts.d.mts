import type { Plugin } from 'vite'
export function leanContracts(): Plugin
