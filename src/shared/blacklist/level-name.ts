import type { Text } from '../text/zh-cn.ts'
import { blacklistStatus, isUndecided, type BlacklistLevel, type BlacklistStatus } from './rules.ts'

/** The level of an entry in words: marked as proposed until somebody has decided, and empty where it was refused, which restricts nobody. */
export const levelName = (
  { blacklist }: Pick<Text, 'blacklist'>,
  { status, level }: { status: BlacklistStatus; level: BlacklistLevel },
): string => {
  if (status === blacklistStatus.dropped) return ''
  return isUndecided(status) ? blacklist.proposed(blacklist.levels[level]) : blacklist.levels[level]
}
