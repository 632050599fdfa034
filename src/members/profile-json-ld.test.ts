import assert from 'node:assert/strict'
import { test } from 'node:test'
import { personJsonLd } from './profile-json-ld.ts'
import type { Profile } from './profile.ts'

const EMPTY: Profile = {
  object: 'human',
  username: 'ada',
  name: 'Ada Lovelace',
  headline: null,
  about: null,
  location: null,
  organization: null,
  title: null,
  skills: [],
  links: [],
  avatar_url: null,
  profile_url: 'https://weft.example/human/ada',
  markdown_url: 'https://weft.example/api/human/ada.md',
  joined_at: '2026-11-21T12:00:00Z',
  updated_at: '2026-11-21T12:00:00Z',
}

test('a complete profile uses schema.org properties for everything', () => {
  const profile: Profile = {
    ...EMPTY,
    headline: 'Poetical scientist',
    about: 'I write programs.\nNo machine runs them yet.',
    location: 'London, United Kingdom',
    organization: 'Analytical Engine',
    title: 'Programmer',
    skills: ['Mathematics', 'Translation'],
    links: [{ label: 'Notes', url: 'https://notes.example/ada' }],
    avatar_url: 'https://pictures.example/ada.png',
  }
  assert.deepEqual(personJsonLd(profile), {
    '@type': 'Person',
    '@id': 'https://weft.example/human/ada',
    name: 'Ada Lovelace',
    alternateName: 'ada',
    url: 'https://weft.example/human/ada',
    disambiguatingDescription: 'Poetical scientist',
    description: 'I write programs.\nNo machine runs them yet.',
    jobTitle: 'Programmer',
    worksFor: { '@type': 'Organization', name: 'Analytical Engine' },
    homeLocation: { '@type': 'Place', name: 'London, United Kingdom' },
    image: 'https://pictures.example/ada.png',
    knowsAbout: ['Mathematics', 'Translation'],
    sameAs: ['https://notes.example/ada'],
  })
})

test('empty fields of a profile are omitted', () => {
  assert.deepEqual(Object.keys(personJsonLd(EMPTY)), [
    '@type',
    '@id',
    'name',
    'alternateName',
    'url',
  ])
})
