// Loaded before the product: its clock is off by so many milliseconds as the file CLOCK_FILE says.
import { readFileSync } from 'node:fs'

const Real = Date
let off = 0
setInterval(() => {
  try {
    off = Number(readFileSync(process.env.CLOCK_FILE, 'utf8')) || 0
  } catch {
    off = 0
  }
}, 100).unref()
globalThis.Date = class extends Real {
  constructor(...given) {
    if (given.length === 0) super(Real.now() + off)
    else super(...given)
  }
  static now() {
    return Real.now() + off
  }
}
