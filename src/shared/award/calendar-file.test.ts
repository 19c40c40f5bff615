import { expect, test } from 'vitest'
import { calendarFile } from './calendar-file.ts'

const now = new Date('2026-11-23T02:00:00Z')
const day = {
  uid: 'award-7-3-entry@zhujitong',
  day: '2026-12-31',
  title: '进场：汽车起重机 2 台，渝昌高铁5标; A区',
  place: '四川省 成都市 新津区五津镇兴化工业园区八号路工地驻地大门以东两百米处的设备停放场',
  note: '联系人 王样本\n14400000001',
}
const lines = (file: string) => file.split('\r\n')
const unfolded = (file: string) => lines(file.replaceAll('\r\n ', ''))

test('a day of entry is one whole day, across the end of a year, with a reminder the day before', () => {
  const written = unfolded(calendarFile([day], { now, product: '筑机通' }))
  expect(written).toEqual(expect.arrayContaining(['DTSTART;VALUE=DATE:20261231', 'DTEND;VALUE=DATE:20270101', 'DTSTAMP:20261123T020000Z']))
  expect(written).toContain('TRIGGER:-PT15H')
  expect(written.filter((line) => line.startsWith('BEGIN:'))).toEqual(['BEGIN:VCALENDAR', 'BEGIN:VEVENT', 'BEGIN:VALARM'])
})

test('signs with a meaning of their own are escaped, and what was long reads the same when it is unfolded', () => {
  const written = unfolded(calendarFile([day], { now, product: '筑机通' }))
  expect(written).toContain(String.raw`SUMMARY:进场：汽车起重机 2 台，渝昌高铁5标\; A区`)
  expect(written).toContain(String.raw`DESCRIPTION:联系人 王样本\n14400000001`)
  expect(written).toContain(`LOCATION:${day.place}`)
})

test('no line is longer than 75 octets, whatever its characters, and each ends with CR LF', () => {
  const file = calendarFile([{ ...day, note: '𠮷,'.repeat(60) }], { now, product: '筑机通' })
  for (const line of lines(file)) expect(new TextEncoder().encode(line).length).toBeLessThanOrEqual(75)
  expect(file.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
  expect(file.endsWith('END:VCALENDAR\r\n')).toBe(true)
  expect(unfolded(file).join('')).toContain(String.raw`𠮷\,`.repeat(60))
})
