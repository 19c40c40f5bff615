import { expect, test } from 'vitest'
import { projectTypeIn } from './project-type.ts'

test.each([
  ['渝昌高铁5标项目部', 'railway'],
  ['成都地铁13号线二期', 'metro'],
  ['天府机场高速公路', 'highway'],
  ['双流机场T3航站楼', 'airport'],
  ['果园港区三期码头', 'port'],
  ['两河口水电站', 'water'],
  ['天府新区综合管廊', 'municipal'],
  ['锦江花园二期', 'building'],
  ['Airport expressway lot 2', 'highway'],
  ['锦江隧道工程', ''],
  ['Transport depot', ''],
  ['', ''],
])('the name %s says that the works are of type "%s"', (name, type) => {
  expect(projectTypeIn(name)).toBe(type)
})
