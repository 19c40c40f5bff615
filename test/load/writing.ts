import type { Running } from './product.ts'
export type Bench = {
  asked: (name: string) => boolean
  put: (question: string, seen: string, bar: string, held: boolean) => void
  plain: Running
  product: Running
  url: string
  folder: string
  start: (running: Promise<Running>) => Promise<Running>
}
export async function rows(_: Bench): Promise<void> {}
