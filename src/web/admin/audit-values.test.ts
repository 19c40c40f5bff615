import { expect, test } from 'vitest'
import { en } from '#shared/text/en.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { fieldLabel, valueLines } from './audit-values.ts'

test('an entry of the audit log is read in words and local time, in both languages', () => {
  expect(valueLines(zhCn, 'demand', 'status', '3')).toEqual(['报价中'])
  expect(valueLines(en, 'demand', 'status', '3')).toEqual(['Open for quotes'])
  expect(valueLines(zhCn, 'company', 'status', '1')).toEqual(['已锁定'])
  expect(valueLines(zhCn, 'demand', 'openTime', '2026-11-22T16:30:00+00:00')).toEqual(['2026-11-23 00:30:00'])
  expect(valueLines(zhCn, 'account', 'duties', ['certification', 'people'])).toEqual(['认证审核、企业与账号'])
  expect(valueLines(en, 'account', 'isAdmin', true)).toEqual(['Yes'])
  expect(valueLines(zhCn, 'article', 'status', '0')).toEqual(['草稿'])
  expect(valueLines(zhCn, 'article', 'title', null)).toEqual(['—'])
  expect(valueLines(zhCn, 'certification', 'form', { enterpriseName: '甲公司', entityType: '1', mainCategories: [101, 203] })).toEqual([
    '企业名称: 甲公司',
    '主体类型: 企业',
    '主营设备: 101、203',
  ])
  expect([fieldLabel(zhCn, 'dept_id'), fieldLabel(zhCn, 'creditCode'), fieldLabel(en, 'factory_no')]).toEqual([
    '单位',
    '统一社会信用代码',
    'Serial number',
  ])
})
