import { account } from './zh-cn/account.ts'
import { admin } from './zh-cn/admin.ts'
import { audit } from './zh-cn/audit.ts'
import { blacklist } from './zh-cn/blacklist.ts'
import { certification } from './zh-cn/certification.ts'
import { contract } from './zh-cn/contract.ts'
import { demand } from './zh-cn/demand.ts'
import { equipment } from './zh-cn/equipment.ts'
import { ceiling, internal } from './zh-cn/internal.ts'
import { list } from './zh-cn/list.ts'
import { messages } from './zh-cn/messages.ts'
import { organization } from './zh-cn/organization.ts'
import { personal } from './zh-cn/personal.ts'
import { platform } from './zh-cn/platform.ts'
import { quote } from './zh-cn/quote.ts'
import { search } from './zh-cn/search.ts'
import { site } from './zh-cn/site.ts'
import { statistics } from './zh-cn/statistics.ts'
import { refusal, rule } from './zh-cn/system.ts'

export const zhCn = {
  locale: 'zh-CN' as string,
  site,
  account,
  admin: { ...admin, ...platform, ...audit },
  blacklist,
  ceiling,
  certification,
  contract,
  personal,
  internal,
  list,
  organization,
  equipment,
  demand,
  quote,
  search,
  statistics,
  refusal,
  rule,
  messages,
}

/** English must have this very shape, or it does not compile. */
export type Text = typeof zhCn
