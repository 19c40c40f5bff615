// The half of a catalogue that `scripts/split-words.mjs` makes for the private areas.
declare module '*/zh-cn.ts?private' {
  import type { Text } from '#shared/text/zh-cn.ts'
  export const zhCn: Text
}
declare module '*/en.ts?private' {
  import type { Text } from '#shared/text/zh-cn.ts'
  export const en: Text
}
