import type { Page } from 'playwright-core'
import readSheets from 'read-excel-file/node'
import sharp from 'sharp'
import { expect } from 'vitest'
import { zhCn } from '#shared/text/zh-cn.ts'
import { inspectBoth } from './inspect.ts'
import { press, settled } from './product.ts'

/** Looks at the charts of the statistics, follows their values and rows to the demands, and exports them. */
export async function readStatistics(page: Page) {
  const { statistics, site } = zhCn
  await page.goto('/workbench/statistics')
  // A chart is drawn when it comes into view.
  const boxes = page.locator('.chart-box')
  await boxes.first().waitFor()
  expect(await boxes.count()).toBe(2)
  for (const box of await boxes.all()) {
    await box.scrollIntoViewIfNeeded()
    await box.and(page.locator('[data-drawn]')).locator('svg').waitFor()
  }
  await inspectBoth(page, 'organization-statistics')
  // The keyboard walks to the last month and filters the demands by it; the same values stand in a table.
  const chart = page.getByRole('slider').first()
  await chart.focus()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await page.waitForURL(/key=\d{4}-\d{2}/)
  const picture = page.waitForEvent('download')
  await page.getByRole('button', { name: site.chart.picture, exact: true }).first().click()
  expect((await sharp(await (await picture).path()).metadata()).format).toBe('png')
  await page.getByRole('button', { name: site.chart.table, exact: true }).first().click()
  expect(await page.locator('.chart tbody tr').count()).toBeGreaterThan(11)
  await page.getByRole('link', { name: statistics.by.category }).click()
  await page.waitForURL(/by=category/)
  await settled(page)
  // By key: a chart that has just loaded may move the row under a pointer.
  await page.locator('tbody tr a[aria-label]').first().press('Enter')
  await page.waitForURL(/key=\d+/)
  await page.getByRole('heading', { name: /：|: / }).waitFor()
  await page.getByRole('link', { name: statistics.by.unit }).click()
  await page.waitForURL(/by=unit/)
  await settled(page)
  await page.getByRole('link', { name: statistics.drill }).first().press('Enter')
  await page.waitForURL(/deptId=\d+/)
  const file = page.waitForEvent('download')
  await press(page, statistics.export)
  expect((await readSheets(await (await file).path())).length).toBe(7)
}
