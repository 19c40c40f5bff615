import type { Plugin } from 'vite'
export function splitWords(): Plugin
