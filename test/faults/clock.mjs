// Loaded before the product. Shifts its clock by the number of milliseconds in the file CLOCK_FILE.
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
