// Chinese words that people type into a search. Like the signs in cells of workbooks they belong to no page, so there is no English side.

/** Words around a search that say only that somebody looks for a machine. */
export const fillers = [
  ['出租', '租赁', '求租', '招租', '租用', '租'],
  ['设备', '机械', '机器', '工程机械'],
  ['价格', '多少钱', '找', '要', '台', '辆', '的', '一台'],
].flat()

/** The brand of machines whose maker is not known: no word to look for. */
export const unknownBrand = '其他'

/** Units as people write them, each with the unit of the catalogue. */
export const chineseUnits = [
  ['吨米', 't·m'],
  ['公吨', 't'],
  ['吨', 't'],
  ['公斤', 'kg'],
  ['千克', 'kg'],
  ['毫米', 'mm'],
  ['米', 'm'],
  ['立方米', 'm³'],
  ['立方', 'm³'],
  ['方', 'm³'],
  ['千瓦', 'kW'],
  ['安', 'A'],
] as const

/** Words that count machines: 2台. */
export const counters = ['台', '辆', '套', '部', '架', '只', '艘'] as const

/** Units of rent as tables write them, each with its code. */
export const chineseRentUnits = [
  ['月', 'M'],
  ['天', 'D'],
  ['日', 'D'],
  ['台班', 'S'],
  ['小时', 'H'],
  ['延米', 'L'],
  ['次', 'P'],
] as const

/** What a region is, at the end of its name: 四川省 is called 四川, 凉山彝族自治州 is called 凉山. */
export const regionEndings = [
  /(?:特别行政区|维吾尔自治区|壮族自治区|回族自治区|自治区|省|市|地区|盟)$/,
  /(?:(?:[藏羌彝苗侗傣白壮回]族|土家族|布依族|哈尼族|景颇族|傈僳族|朝鲜族|蒙古族|蒙古|哈萨克|柯尔克孜)+)?自治州$/,
] as const
