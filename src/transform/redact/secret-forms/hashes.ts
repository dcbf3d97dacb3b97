import { form, type SecretForm } from './form.ts'

const CRYPT = 'https://manpages.debian.org/unstable/libcrypt-dev/crypt.5.en.html'
const LDAP = 'https://www.openldap.org/doc/admin26/security.html'
const APACHE = 'https://httpd.apache.org/docs/2.4/misc/password_encryptions.html'
const DJANGO = 'https://docs.djangoproject.com/en/stable/topics/auth/passwords/'
const PASSLIB = 'https://passlib.readthedocs.io/en/stable/modular_crypt_format.html'

/** A salt of crypt: its characters are those of base64, but in another order. */
const salt = (least: number, most: number) => String.raw`[./A-Za-z0-9]{${least},${most}}\$`
const hash = (length: number) => `[./A-Za-z0-9]{${length}}`
const ROUNDS = String.raw`(?:rounds=\d{4,9}\$)?`
const TURNS = String.raw`\d{1,9}\$`

/** Hashes of passwords, which can be guessed from them. In files of Compose each dollar sign is doubled. */
export const HASHES: readonly SecretForm[] = [
  ...form('apache-hash', ['$apr1$'], salt(1, 8) + hash(22), APACHE),
  ...form('apache-hash', ['$$apr1$$'], String.raw`[./A-Za-z0-9]{1,8}\$\$` + hash(22), APACHE),
  ...form(
    'argon2-hash',
    ['$argon2id$', '$argon2i$', '$argon2d$'],
    String.raw`(?:v=\d{1,3}\$)?m=\d{1,10},t=\d{1,10},p=\d{1,8}\$[A-Za-z0-9+/]{11,86}\$[A-Za-z0-9+/]{16,171}`,
    'https://github.com/P-H-C/phc-string-format/blob/master/phc-sf-spec.md',
  ),
  ...form(
    'bcrypt-hash',
    ['$2a$', '$2b$', '$2x$', '$2y$'],
    String.raw`(?:0[4-9]|[12]\d|3[01])\$${hash(53)}`,
    CRYPT,
  ),
  ...form('bcrypt-hash', ['$$2a$$', '$$2b$$', '$$2y$$'], String.raw`\d\d\$\$` + hash(53), CRYPT),
  ...form('crypt-hash', ['$1$'], salt(1, 8) + hash(22), CRYPT),
  ...form('crypt-hash', ['$5$'], ROUNDS + salt(1, 16) + hash(43), CRYPT),
  ...form('crypt-hash', ['$6$'], ROUNDS + salt(1, 16) + hash(86), CRYPT),
  ...form('crypt-hash', ['$7$'], salt(11, 97) + hash(43), CRYPT),
  ...form('crypt-hash', ['$y$', '$gy$'], salt(1, 32) + salt(1, 86) + hash(43), CRYPT),
  ...form(
    'django-hash',
    ['pbkdf2_sha256$', 'pbkdf2_sha1$'],
    String.raw`\d{4,9}\$[A-Za-z0-9]{8,64}\$[A-Za-z0-9+/]{27,43}=`,
    DJANGO,
  ),
  ...form('ldap-hash', ['{SHA}'], '[A-Za-z0-9+/]{27}=', LDAP),
  ...form('ldap-hash', ['{MD5}'], '[A-Za-z0-9+/]{22}==', LDAP),
  ...form(
    'ldap-hash',
    ['{SSHA}', '{SMD5}', '{SSHA256}', '{SSHA384}', '{SSHA512}'],
    '[A-Za-z0-9+/]{26,140}={0,2}',
    LDAP,
  ),
  ...form('pbkdf2-hash', ['$pbkdf2$'], TURNS + salt(4, 64) + hash(27), PASSLIB),
  ...form('pbkdf2-hash', ['$pbkdf2-sha256$'], TURNS + salt(4, 64) + hash(43), PASSLIB),
  ...form('pbkdf2-hash', ['$pbkdf2-sha512$'], TURNS + salt(4, 64) + hash(86), PASSLIB),
  ...form('phpass-hash', ['$P$', '$H$'], hash(31), PASSLIB),
]
