import { expect, test } from 'vitest'
import { chartForm } from '../../../src/pages/parts/chart.ts'

/** The chosen columns of a form: y and x. */
const chosenIn = (form: unknown) =>
  [...String(form).matchAll(/<option value="([^"]*)" selected/g)].map(([, name]) => name)

test('The form of a chart offers two different columns until a person chooses', () => {
  const rows = [
    [1, 'a'],
    [2, 'b'],
  ]
  const threads = { columns: ['number', 'title'], rows }
  const page = { path: '/-/sql', query: new URLSearchParams() }
  expect(chosenIn(chartForm(threads, {}, page))).toEqual(['number', 'title'])
  expect(chosenIn(chartForm(threads, { x: 'number' }, page))).toEqual(['number', 'number'])
})
