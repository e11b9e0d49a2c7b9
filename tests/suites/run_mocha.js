// node run_mocha.js COUNT FILE...: runs the tests of the files and succeeds when exactly COUNT of
// them passed: none failed, none was pending. Mocha is found through NODE_PATH.
'use strict';

const path = require('path');
const Mocha = require('mocha');

const expected = Number(process.argv[2]);
const mocha = new Mocha({ reporter: 'dot', timeout: 10000 });
for (const file of process.argv.slice(3)) mocha.addFile(path.resolve(file));
const runner = mocha.run(() => {
  const { passes, failures, pending } = runner.stats;
  const good = passes === expected && failures === 0 && pending === 0;
  console.log(`expected ${expected} passed: ${passes} passed, ${failures} failed,`,
    `${pending} pending`);
  process.exit(good ? 0 : 1);  // clients that a test has left connected do not hold it up
});
