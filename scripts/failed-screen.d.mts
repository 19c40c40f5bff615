import type { Plugin } from 'vite'
export function failedScreens(): Plugin
