import { form, type SecretForm } from './form.ts'

const ADOBE = 'https://developer.adobe.com/developer-console/docs/guides/authentication/'
const SLACK = 'https://docs.slack.dev/authentication/tokens/'
const SQUARE = 'https://developer.squareup.com/docs/build-basics/access-tokens'
const STRIPE = 'https://docs.stripe.com/webhooks/signature'

/** Tokens of all others: messages, payments, documents. */
export const BUSINESS: readonly SecretForm[] = [
  ...form('adafruit-key', ['aio_'], '[A-Za-z0-9]{28}', 'https://io.adafruit.com/api/docs/'),
  ...form('adobe-secret', ['p8e-', 'p8e_'], '[A-Za-z0-9_-]{32}', ADOBE),
  ...form(
    'airtable-token',
    ['pat'],
    '[A-Za-z0-9]{14}\\.[0-9a-f]{64}',
    'https://airtable.com/developers/web/guides/personal-access-tokens',
  ),
  ...form(
    'brevo-key',
    ['xkeysib-', 'xsmtpsib-'],
    '[0-9a-f]{64}-[A-Za-z0-9]{16}',
    'https://developers.brevo.com/docs/getting-started',
  ),
  ...form(
    'contentful-token',
    ['CFPAT-'],
    '[A-Za-z0-9_-]{43}',
    'https://www.contentful.com/help/personal-access-tokens/',
  ),
  ...form(
    'dropbox-token',
    ['sl.'],
    '(?:u\\.)?[A-Za-z0-9_-]{130,1400}',
    'https://www.dropbox.com/developers/reference/oauth-guide',
  ),
  ...form(
    'duffel-token',
    ['duffel_live_', 'duffel_test_'],
    '[A-Za-z0-9_=-]{43}',
    'https://duffel.com/docs/api/overview/authentication',
  ),
  ...form(
    'easypost-key',
    ['EZAK', 'EZTK'],
    '[A-Za-z0-9]{54}',
    'https://docs.easypost.com/docs/authentication',
  ),
  ...form(
    'facebook-token',
    ['EAA'],
    '[A-Za-z0-9]{80,400}',
    'https://developers.facebook.com/docs/facebook-login/guides/access-tokens/',
  ),
  ...form(
    'figma-token',
    ['figd_'],
    '[A-Za-z0-9_-]{40,200}',
    'https://developers.figma.com/docs/rest-api/authentication/',
  ),
  ...form(
    'flutterwave-key',
    ['FLWSECK-', 'FLWSECK_TEST-'],
    '[0-9a-f]{12,32}(?:-X)?',
    'https://developer.flutterwave.com/docs/authentication',
  ),
  ...form(
    'frame-io-token',
    ['fio-u-'],
    '[A-Za-z0-9_=-]{64}',
    'https://developer.frame.io/docs/getting-started/authentication',
  ),
  ...form(
    'hubspot-token',
    ['pat-na1-', 'pat-na2-', 'pat-eu1-', 'pat-ap1-'],
    '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}',
    'https://developers.hubspot.com/docs/guides/apps/private-apps/overview',
  ),
  ...form(
    'mailgun-key',
    ['key-', 'pubkey-'],
    '[0-9a-f]{32}',
    'https://documentation.mailgun.com/docs/mailgun/user-manual/api-key-mgmt/',
  ),
  ...form(
    'mapbox-token',
    ['sk.eyJ'],
    '[A-Za-z0-9_-]{20,400}\\.[A-Za-z0-9_-]{22}',
    'https://docs.mapbox.com/help/getting-started/access-tokens/',
  ),
  ...form(
    'notion-token',
    ['ntn_'],
    '\\d{11}[A-Za-z0-9]{35}',
    'https://developers.notion.com/docs/authorization',
  ),
  ...form(
    'notion-token',
    ['secret_'],
    '[A-Za-z0-9]{43}',
    'https://developers.notion.com/docs/authorization',
  ),
  ...form('posthog-key', ['phx_'], '[A-Za-z0-9]{43,48}', 'https://posthog.com/docs/api'),
  ...form('resend-key', ['re_'], '[A-Za-z0-9]{8}_[A-Za-z0-9]{20,32}', 'https://resend.com/docs'),
  ...form(
    'sendgrid-key',
    ['SG.'],
    '[A-Za-z0-9_-]{16,32}\\.[A-Za-z0-9_-]{16,64}',
    'https://www.twilio.com/docs/sendgrid',
  ),
  ...form(
    'shippo-token',
    ['shippo_live_', 'shippo_test_'],
    '[0-9a-f]{40}',
    'https://docs.goshippo.com/docs/guides_general/authentication/',
  ),
  ...form(
    'shopify-token',
    ['shpat_', 'shpca_', 'shppa_', 'shpss_'],
    '[0-9a-zA-Z]{32,64}',
    'https://shopify.dev/docs/apps/build/authentication-authorization',
  ),
  ...form(
    'slack-token',
    ['xoxa-', 'xoxb-', 'xoxo-', 'xoxp-', 'xoxr-', 'xoxs-', 'xoxe-', 'xapp-'],
    '[A-Za-z0-9-]{10,250}',
    'https://docs.slack.dev/authentication/tokens/',
  ),
  ...form('slack-token', ['xoxc-', 'xoxd-', 'xwfp-'], '[A-Za-z0-9%/+=-]{20,400}', SLACK),
  ...form('square-token', ['sq0atp-', 'sq0csp-'], '[A-Za-z0-9_-]{22,43}', SQUARE),
  ...form('square-token', ['EAAA'], '[A-Za-z0-9_-]{60}', SQUARE),
  ...form(
    'stripe-key',
    ['sk_live_', 'rk_live_', 'sk_test_', 'rk_test_'],
    '[A-Za-z0-9]{16,247}',
    'https://docs.stripe.com/keys',
  ),
  ...form('stripe-webhook-secret', ['whsec_'], '[A-Za-z0-9+/]{32,64}={0,2}', STRIPE),
  ...form(
    'stytch-secret',
    ['secret-live-', 'secret-test-'],
    '[A-Za-z0-9_-]{36}=?',
    'https://stytch.com/docs/api/authentication',
  ),
  ...form(
    'telegram-token',
    ['bot'],
    '\\d{8,10}:[A-Za-z0-9_-]{35}',
    'https://core.telegram.org/bots/api',
  ),
  ...form('twilio-key', ['SK'], '[0-9a-f]{32}', 'https://www.twilio.com/docs/iam/api-keys'),
  ...form(
    'typeform-token',
    ['tfp_'],
    '[A-Za-z0-9_.=-]{40,60}',
    'https://www.typeform.com/developers/get-started/personal-access-token/',
  ),
]
