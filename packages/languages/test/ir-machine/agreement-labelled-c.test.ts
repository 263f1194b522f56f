import { sources } from './sources.js';
import { testAgreement } from './test-agreement.js';

testAgreement(sources.labelled);
