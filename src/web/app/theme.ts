import { createStore } from '../ui/store.ts'

export const themes = ['system', 'light', 'dark'] as const
type Theme = (typeof themes)[number]

const key = 'theme'
const theme = createStore<Theme>('system')

const readTheme = (): Theme => {
  const stored = localStorage.getItem(key)
  return stored === 'light' || stored === 'dark' ? stored : 'system'
}

/**
 * Runs in the head of each page, before anything is painted, so that a dark page is never bright at first and somebody who has signed in is not
 * offered to sign in while the scripts are on their way (shell.css).
 */
export const themeProgram = `{const {dataset}=document.documentElement,theme=localStorage.getItem("${key}");if(theme)dataset.theme=theme;if(localStorage.getItem("access_token"))dataset.session=""}`

/** Reads the stored choice and follows changes from other tabs. The root calls it once, after hydration. */
export function loadTheme(): () => void {
  const apply = () => {
    const chosen = readTheme()
    if (chosen === 'system') delete document.documentElement.dataset.theme
    else document.documentElement.dataset.theme = chosen
    theme.set(chosen)
  }
  apply()
  const follow = (event: StorageEvent) => {
    if (event.key === key) apply()
  }
  window.addEventListener('storage', follow)
  return () => window.removeEventListener('storage', follow)
}

/** Light or dark by hand, or as the device is set. */
export function setTheme(chosen: Theme): void {
  if (chosen === 'system') localStorage.removeItem(key)
  else localStorage.setItem(key, chosen)
  if (chosen === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = chosen
  theme.set(chosen)
}

export const useTheme = theme.use
