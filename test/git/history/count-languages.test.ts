import { expect, test } from 'vitest'
import { languageOf } from '../../../src/git/history/count-languages.ts'

test.each([
  ['src/boil.c', 'C'],
  ['Boil.CPP', 'C++'],
  ['web/app.tsx', 'TypeScript'],
  ['Dockerfile', 'Dockerfile'],
  ['src/CMakeLists.txt', 'CMake'],
  ['README.md', undefined],
  ['data.json', undefined],
  ['c', undefined],
  ['.c', 'C'],
  ['node_modules/x/index.js', undefined],
  ['src/vendor/x.go', undefined],
  ['vendored.go', 'Go'],
])('The language of %s is %s', (path, language) => {
  expect(languageOf(path)).toBe(language)
})
