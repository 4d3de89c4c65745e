import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldName, foldText } from '#shared/domain/fold-text.ts';
import { readPlace, resolveFilter } from '#shared/places/read-place.ts';
import { runs } from '#test/support/run-scale.ts';

describe('places as people write them', () => {
  it.each([
    ['SEGOT', ['Göteborg', 'Goteborg', 'GOTEBORG', 'Gothenburg', 'Goeteborg', 'se got', 'GOT', 'Gothenburg, Sweden']],
    ['DEMUC', ['München', 'Munich', 'muenchen', 'MUC', 'Munich, DE', 'München, Deutschland', 'Munich Airport']],
    ['ITGOA', ['Genoa', 'Genova', 'Gênes', 'it goa', 'Porto di Genova', 'Genoa, Italia']],
    [
      'NLRTM',
      ['Rotterdam', 'Rotterdam, NL', 'Port of Rotterdam', 'NL RTM', 'Rotterdam (NLRTM)', 'the port of Rotterdam'],
    ],
    ['DEHAM', ['Hamburg', 'Hamburg Port', 'Hafen Hamburg', 'HAM', 'Hamburg, Allemagne']],
    ['DKCPH', ['Copenhagen', 'København', 'Kopenhagen', 'kobenhavn']],
    ['DKAAR', ['Aarhus', 'Århus']],
    ['PLGDN', ['Gdansk', 'Gdańsk', 'Danzig']],
    ['USLAX', ['LA', 'L.A.', 'Los Angeles', 'Los Angeles, CA', 'LAX', 'Port of Los Angeles']],
    ['USNYC', ['NYC', 'New York', 'New York, NY', 'New York, USA']],
    ['USHOU', ['Houston', 'Houston, TX', 'Houston, TX, USA']],
    ['CNSHA', ['Shanghai', 'CN SHA', 'cnsha', '上海', 'Shanghai, China', 'Shanghai (CNSHA)']],
    ['CNTAO', ['Qingdao', 'Tsingtao', '青岛']],
    ['VNSGN', ['Saigon', 'Ho Chi Minh', 'HCMC', 'Ho Chi Minh City, Vietnam']],
    ['INNSA', ['Nhava Sheva', 'JNPT', 'Jawaharlal Nehru']],
    ['KRPUS', ['Busan', 'Pusan', '부산']],
    ['GBLON', ['London', 'LON', 'Londres']],
    ['MYPKG', ['Port Klang', 'Port Kelang']],
  ])('%s is found under %j', (code, texts) => {
    for (const text of texts) expect(readPlace(text).codes, text).toContain(code);
  });

  it.each([
    ['NL', ['NL', 'nl', 'Netherlands', 'The Netherlands', 'Holland', 'Niederlande', 'Pays-Bas', 'NLD']],
    ['DE', ['DE', 'Germany', 'Deutschland', 'Allemagne', 'DEU']],
    ['GB', ['GB', 'UK', 'United Kingdom', 'Great Britain']],
    ['US', ['US', 'USA', 'United States', 'Vereinigte Staaten']],
    ['CN', ['CN', 'China', '中国', 'CHN']],
  ])('%s is found under %j', (country, texts) => {
    for (const text of texts) expect(readPlace(text).countries, text).toEqual([country]);
  });

  it('keeps a place to its country, and distinguishes CA of California from Canada by the name', () => {
    expect(readPlace('Rotterdam').codes).toContain('USRAJ');
    expect(readPlace('Rotterdam, NL')).toMatchObject({ codes: ['NLRTM', 'RTM'], within: ['NL'] });
    expect(readPlace('Los Angeles, CA').within).toEqual(['US']);
    expect(readPlace('Vancouver, CA').within).toEqual(['CA']);
    expect(readPlace('Houston, TX').parts).toEqual(['houston tx']);
  });

  it('joins a name and its own country that a query has split at the comma', () => {
    const places = (origin: string[]) => resolveFilter({ origin }).origin;
    expect(places(['Rotterdam', 'NL'])).toEqual([readPlace('Rotterdam, NL')]);
    expect(places(['China', 'Vietnam', 'India'])).toEqual(['China', 'Vietnam', 'India'].map(readPlace));
    expect(places(['Spain', 'IT'])).toEqual(['Spain', 'IT'].map(readPlace));
    expect(places(['CNSHA', 'Houston', 'TX', 'USA'])).toEqual([readPlace('CNSHA'), readPlace('Houston, TX, USA')]);
    expect(places(['Hamburg', 'NL'])).toEqual([readPlace('Hamburg'), readPlace('NL')]);
    expect(places(['CN', 'NL', 'DE'])).toEqual(['CN', 'NL', 'DE'].map(readPlace));
  });

  it('reads a known name as whole words and an unknown one as part of a name', () => {
    // Nice is not Venice, and Oman is not in Romania.
    expect(readPlace('Nice')).toMatchObject({ names: ['nice'], parts: [] });
    expect(readPlace('Oman')).toMatchObject({ countries: ['OM'], names: ['oman'], parts: [] });
    expect(readPlace('Rotter')).toMatchObject({ codes: [], names: [], parts: ['rotter'] });
    // LA of La Spezia is not Los Angeles.
    expect(readPlace('LA').names).toEqual([]);
    expect(readPlace('--')).toEqual({ countries: [], codes: [], names: [], parts: [], within: null });
  });

  it('reads a three-letter code as an airport before a country', () => {
    expect(readPlace('CAN')).toMatchObject({ countries: [], codes: expect.arrayContaining(['CAN', 'CNCAN']) });
  });

  it('gives q other texts for the places that it names', () => {
    expect(resolveFilter({ q: 'Maersk Göteborg' })).toEqual({
      q: 'Maersk Göteborg',
      otherTexts: { goteborg: ['segot', 'gothenburg', 'gotenburg', 'goetheborg'] },
    });
    expect(resolveFilter({ q: 'New York' }).otherTexts?.['new york']).toContain('usnyc');
    expect(resolveFilter({ q: 'MSKU1234565' })).toEqual({ q: 'MSKU1234565' });
  });

  it('reads any text, and folding twice changes nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 100 }), (text) => {
        const place = readPlace(text);
        for (const name of [...place.names, ...place.parts]) expect(foldName(name)).toBe(name);
        expect(foldText(foldText(text))).toBe(foldText(text));
        resolveFilter({ q: text });
      }),
      { numRuns: runs(2000) },
    );
  });
});
