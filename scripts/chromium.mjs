import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The headless shell comes first: the same engine without the parts of a desktop. */
const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']

/** The browser of the journeys: CHROMIUM, or the first one on the path or where packages put it; undefined without any. */
export function findChromium() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM
  const folders = [...new Set(['/usr/bin', ...(process.env.PATH ?? '').split(delimiter), '/opt/google/chrome'])].filter(Boolean)
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => existsSync(path))
}
