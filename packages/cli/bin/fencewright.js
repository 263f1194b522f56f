#!/usr/bin/env node
'use strict';
require('./load-script.js').loadScript('main.cjs');
