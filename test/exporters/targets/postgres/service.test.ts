import { describe, expect, test } from 'vitest'
import { addService, serviceIn } from '../../../../src/exporters/targets/postgres/service.ts'

const FILE = `# of the team
[acme]
host=db.example.org
port = 5433
dbname=ware house
user=loader
password=a&b=c
# user=other
[acme]
host=second.example.org
[socket]\r
host=/run/postgresql\r
`

describe('A service', () => {
  test.each([
    [
      'postgres://',
      'acme',
      'postgres:///ware%20house?host=db.example.org&port=5433&user=loader&password=a%26b%3Dc',
    ],
    [
      'postgresql://me@h/d?service=acme&sslmode=require',
      'acme',
      'postgres://me@h/d?sslmode=require&port=5433&password=a%26b%3Dc',
    ],
    [
      'postgres://me:secret@[::1]:1/?host=x',
      'acme',
      'postgres://me:secret@[::1]:1/ware%20house?host=x',
    ],
    ['postgres://', 'socket', 'postgres://?host=%2Frun%2Fpostgresql'],
  ])('fills in what %s leaves out', (url, service, filled) => {
    expect(addService(url, service, FILE)).toBe(filled)
  })

  test.each([
    ['postgres://h/d?service=acme', 'acme'],
    ['postgres://h/d', undefined],
    ['something else', undefined],
  ])('named by %s is %s', (url, service) => {
    expect(serviceIn(url)).toBe(service)
  })

  test.each([FILE, undefined])('option-invalid: is not in the file', (text) => {
    expect(() => addService('postgres://', 'other', text)).toThrow(
      expect.objectContaining({
        code: 'option-invalid',
        message: 'there is no service "other" in the service file',
      }),
    )
  })
})
